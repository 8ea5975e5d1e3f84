import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Id, Int, Metadata, Pattern, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

const languageTag = {
  pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  max: 35,
  says: 'Give a language tag such as pt-BR.',
};
const email = { pattern: /^[^\s@]+@[^\s@]+$/, max: 254, says: 'Give an email address.' };

class GuestFields {
  @Text({ about: "The guest's name.", max: 200 })
  name: string;

  @Pattern({ about: 'Their email address.', optional: true, nullable: true, ...email })
  email?: string | null;

  @Text({ about: 'Their phone number.', max: 50, optional: true, nullable: true })
  phone?: string | null;

  @Pattern({ about: 'Their language.', optional: true, nullable: true, ...languageTag })
  locale?: string | null;

  @Text({ about: 'Notes about the guest.', max: 10_000, optional: true, nullable: true })
  notes?: string | null;

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;
}

export class CreateGuest extends GuestFields {}

export class ThisGuest {
  @Id('guest', { about: 'The guest.' }) guestId: string;
}

export class UpdateGuest extends IntersectionType(ThisGuest, PartialType(GuestFields, { skipNullProperties: false })) {}

export class ListGuests extends PageOf(['createdAt', 'updatedAt']) {
  @Text({ about: 'Only guests whose name holds this text.', min: 3, max: 100, optional: true }) q?: string;
  @Timestamp({ about: 'Only guests that changed at this time or later.', optional: true }) updatedSince?: string;
}

export class GuestView {
  @Id('guest', { about: 'The guest.' }) id: string;
  @Text({ about: "The guest's name.", max: 200 }) name: string;
  @Text({ about: 'Their email address.', max: 254, nullable: true }) email: string | null;
  @Text({ about: 'Their phone number.', max: 50, nullable: true }) phone: string | null;
  @Text({ about: 'Their language.', max: 35, nullable: true }) locale: string | null;
  @Text({ about: 'Notes about the guest.', max: 10_000, nullable: true }) notes: string | null;
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When the guest was added.' }) createdAt: string;
  @Timestamp({ about: 'When the guest last changed.' }) updatedAt: string;
}
