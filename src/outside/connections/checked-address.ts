import { invalidField } from '#errors';
import { OutboundError } from '#outbound';

/** @throws validation_error naming the setting if its address may not be reached from here. */
export function checkedAddress(setting: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof OutboundError) throw invalidField(['settings', setting], error.message);
    throw error;
  }
}
