import { forbidden, invalidField, ServiceError } from '#errors';
import { isText } from '#operations';
import { isCommonPassword } from './common-passwords.js';

export const shortestPassword = 10;
export const longestPassword = 256;
export const longestName = 200;

/** @throws validation_error for a password that is short, long, common or the address itself (NIST SP 800-63B). */
export function refuseWeakPassword(password: string, email: string): void {
  if (password.length < shortestPassword || password.length > longestPassword) {
    throw invalidField(['password'], `Choose a password of ${shortestPassword} to ${longestPassword} characters.`);
  }
  if (password.toLowerCase() === email.toLowerCase()) {
    throw invalidField(['password'], 'Choose a password other than your email address.');
  }
  if (isCommonPassword(password)) {
    throw invalidField(['password'], 'This password is on a list of common passwords. Choose another one.');
  }
}

/** @throws validation_error for a name longer than that of a member, which it becomes. */
export function refuseLongName(name: string): void {
  if (!isText(name, 0, longestName)) throw invalidField(['name'], `Enter a name of at most ${longestName} characters.`);
}

/** A link that was used, expired, was revoked or was never ours; the message does not say which. */
export const linkIsNoGood = (): ServiceError =>
  new ServiceError({
    status: 404,
    message: 'This link was already used or withdrawn, or has expired. Request a new one.',
  });

/** With SIGN_UP=off. */
export const onlyOperatorsCreateAccounts = (): ServiceError =>
  forbidden(
    'Only the operator of this service can create accounts. Ask for an account with this address, then open the link again.',
  );
