# The service alone, for a database that DATABASE_URL names. npm ci builds (its prepare script), which needs the sources
# and the packages of development. The bundle in dist has what it uses of the packages, except Argon2, which is machine
# code: the second stage has Node, dist, and of the other packages only their licenses.
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm prune --omit=dev --ignore-scripts && mkdir licenses && \
    find node_modules -type f \( -iname '*licen[cs]e*' -o -iname '*notice*' \) -exec cp --parents --target-directory licenses {} +

FROM debian:trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN useradd --uid 1000 --create-home node && mkdir /data && chown node /data
COPY --from=build /usr/local/bin/node /usr/local/bin/
COPY --from=build /app/node_modules/@node-rs ./node_modules/@node-rs
COPY --from=build /app/licenses ./licenses
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
# The guides that /docs serves.
COPY --from=build /app/docs/*.md ./docs/
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "dist/src/processes/main.js"]
