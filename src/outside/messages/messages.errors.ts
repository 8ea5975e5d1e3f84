import { conflict, recordNotFound, shaped } from '#errors';
import { SuppressedDetails } from './message-details.dto.js';

export const messageNotFound = recordNotFound('message', 'listMessages');

export const guestNotFound = recordNotFound('guest', 'listGuests');

export const memberNotFound = recordNotFound('member', 'listMembers');

export const stayNotFound = recordNotFound('reservation', 'listReservations');

export const suppressionNotFound = recordNotFound('suppression', 'listSuppressions');

export const alreadySuppressed = (suppressionId: string) =>
  conflict(
    'ALREADY_SUPPRESSED',
    'The address is already suppressed. Delete that suppression first to change its scope.',
    shaped(SuppressedDetails, { suppressionId }),
  );
