import { Email, Id, OneOf, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

export const suppressionCovers = ['all', 'marketing'] as const;
export type SuppressionCovers = (typeof suppressionCovers)[number];

export const suppressionReasons = ['manual', 'unsubscribed', 'bounced', 'complained'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export class AddSuppression {
  @Email({ about: 'The address; only a keyed hash of it is kept.' })
  email: string;

  @OneOf(suppressionCovers, { about: 'Which messages it is kept from; all when left out.', optional: true })
  covers?: SuppressionCovers;

  @OneOf(suppressionReasons, { about: 'Why; manual when left out.', optional: true })
  reason?: SuppressionReason;
}

export class ThisSuppression {
  @Id('suppression', { about: 'The suppression.' }) suppressionId: string;
}

export class ListSuppressions extends PageOf(['createdAt']) {
  @Email({ about: 'Only the suppression of this address.', optional: true }) email?: string;
  @OneOf(suppressionReasons, { about: 'Only those for this reason.', optional: true }) reason?: SuppressionReason;
}

/** An address that gets nothing. The address itself is not kept: listSuppressions finds it by its hash. */
export class SuppressionView {
  @Id('suppression', { about: 'The suppression.' }) id: string;
  @OneOf(suppressionCovers, { about: 'Which messages the address is kept from.' }) covers: SuppressionCovers;
  @OneOf(suppressionReasons, { about: 'Why.' }) reason: SuppressionReason;
  @Timestamp({ about: 'When it was added.' }) createdAt: string;
}
