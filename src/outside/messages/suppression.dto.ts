import { Email, Id, OneOf, PageOf, Timestamp } from '#operations';

export const suppressionCovers = ['all', 'marketing'] as const;
export type SuppressionCovers = (typeof suppressionCovers)[number];

export const suppressionReasons = ['manual', 'unsubscribed', 'bounced', 'complained'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export class AddSuppression {
  @Email({ description: 'Email address; only a keyed hash of it is stored.' })
  email: string;

  @OneOf(suppressionCovers, { description: 'Which messages are suppressed; default: all.', optional: true })
  covers?: SuppressionCovers;

  @OneOf(suppressionReasons, { description: 'Reason; default: manual.', optional: true })
  reason?: SuppressionReason;
}

export class ThisSuppression {
  @Id('suppression', { description: 'Suppression id (suppression_…), from listSuppressions.' }) suppressionId: string;
}

export class ListSuppressions extends PageOf(['createdAt']) {
  @Email({ description: 'Only the suppression of this address.', optional: true }) email?: string;
  @OneOf(suppressionReasons, { description: 'Only suppressions with this reason.', optional: true })
  reason?: SuppressionReason;
}

/** An address that receives no messages. The address itself is not stored: listSuppressions finds it by its hash. */
export class SuppressionView {
  @Id('suppression', { description: 'Suppression id (suppression_…).' }) id: string;
  @OneOf(suppressionCovers, { description: 'Which messages are suppressed.' }) covers: SuppressionCovers;
  @OneOf(suppressionReasons, { description: 'Reason.' }) reason: SuppressionReason;
  @Timestamp({ description: 'When the suppression was added.' }) createdAt: string;
}
