import { errorTypes } from '#errors';

/** What all operations have in common (Markdown). */
export const basics = `
Operations of short-term rentals and hotels. The same operations are tools of the Model Context Protocol at \`/mcp\`.

## Credentials
Send \`Authorization: Bearer <API key or access token>\`. An operation needs its scope (\`x-scope\`); with an access token
the live permissions of its user count too. \`x-effect\` tells what an operation does: read, write or destructive.

## Answers
Success is \`{data, meta: {requestId}}\`. Lists are paged by \`limit\` and \`cursor\`: send \`meta.pagination.nextCursor\`
until it is null. Send \`X-Request-Id\` to choose the id of a request. Lists in a query are separated by commas.

## Writes
Send \`Idempotency-Key\` with a write, so that a retry cannot apply it twice; \`If-Match\` with a change, so that it is
made only to the version that you have seen. Add \`?dryRun=true\` to rehearse a write: the response is what the write
would return, with status 200 and its effects in \`meta.effects\`, and nothing is changed.

## Errors
Errors are \`{error: {type, code, message, details?}, meta: {requestId}}\`. Retry 500, 502 and 503 with exponential backoff, and
429 after \`Retry-After\` seconds.

| Status | Type | Code, unless a more specific one applies |
|---|---|---|
${errorTypes.map(({ status, type, code }) => `| ${status} | \`${type}\` | \`${code}\` |`).join('\n')}
`;

/** The same for a program that reads only the document. */
export const introduction = (rejections: ReadonlyMap<string, string>): string => `${basics}
Known rejections are validation errors whose \`details.key\` is one of these (\`x-rejections\` has them for programs):

| Key | What it says |
|---|---|
${[...rejections].map(([key, sentence]) => `| \`${key}\` | ${sentence} |`).join('\n')}
`;
