import { Id } from '#operations';

export class SuppressedDetails {
  @Id('suppression', { description: 'Suppression of the address.' }) suppressionId: string;
}
