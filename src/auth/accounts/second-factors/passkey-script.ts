import { asset } from '../../../platform/pages/assets.js';

/** The one script of the pages: it asks the browser for a passkey. */
export const passkeyScript = asset(new URL('./passkey.browser.js', import.meta.url));
