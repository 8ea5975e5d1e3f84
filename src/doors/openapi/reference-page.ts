/**
 * Only content from here, and inline only with the nonce of this response. Style attributes are the exception, because
 * the bundle sets them and they cannot carry a nonce; scripts have no exception.
 */
export const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Features that would contact another host are off. */
const settings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'apiKey' },
};

/** The bundle creates its style sheets at run time; the first lines give them the nonce that the policy requires. */
export const referencePage = (nonce: string, bundlePath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Property Operations Service</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script nonce="${nonce}">
const make = Document.prototype.createElement;
Document.prototype.createElement = function (name, options) {
  const element = make.call(this, name, options);
  if (element instanceof HTMLStyleElement) element.nonce = '${nonce}';
  return element;
};
</script>
<script nonce="${nonce}" src="${bundlePath}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', ${JSON.stringify(settings)});</script>
</body>
</html>
`;
