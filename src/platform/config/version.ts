import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

const file = findPackageJSON('..', import.meta.url) as string;

/** The version of the service, as package.json has it. */
export const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
