// For `node --import`: lets a child process run the TypeScript sources, whose imports name the compiled `.js`.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      /^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL.endsWith('.ts')
        ? specifier.replace(/\.js$/, '.ts')
        : specifier,
      context,
    ),
});
