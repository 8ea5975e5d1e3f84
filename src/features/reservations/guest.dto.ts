import {
  Email,
  Id,
  Int,
  IntersectionType,
  ListOfObjects,
  Metadata,
  MetadataChange,
  OmitType,
  PageOf,
  PartialType,
  Pattern,
  SearchText,
  Text,
  Timestamp,
} from '#operations';
import {
  ExternalRef,
  ExternalRefChange,
  mostReferences,
  ReferredTo,
} from '../../tenancy/references/external-ref.dto.js';

const languageTag = {
  pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  max: 35,
  message: 'Pass a language tag such as pt-BR.',
};

/** The rules of a guest, whichever operation takes one. */
export class GuestFields {
  @Text({ description: 'Name of the guest.', max: 200 })
  name: string;

  @Email({ description: 'Email address of the guest.', optional: true, nullable: true })
  email?: string | null;

  @Text({ description: 'Phone number of the guest.', max: 50, optional: true, nullable: true })
  phone?: string | null;

  @Pattern({
    description: 'Language of the guest (BCP 47), such as pt-BR.',
    optional: true,
    nullable: true,
    ...languageTag,
  })
  locale?: string | null;

  @Text({ description: 'Notes about the guest.', max: 10_000, optional: true, nullable: true })
  notes?: string | null;

  @Metadata({ description: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRefChange, {
    description: 'Ids in other systems.',
    optional: true,
    max: mostReferences,
  })
  externalRefs?: ExternalRefChange[];
}

export class CreateGuest extends GuestFields {}

export class ThisGuest {
  @Id('guest', { description: 'Guest id (guest_…), from listGuests.' }) guestId: string;
}

export class UpdateGuest extends IntersectionType(ThisGuest, PartialType(GuestFields)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class MergeGuests extends ThisGuest {
  @Id('guest', { description: 'Guest to merge into this one (guest_…), from listGuests.' }) fromGuestId: string;
}

export class ListGuests extends IntersectionType(PageOf(['createdAt', 'updatedAt']), ReferredTo) {
  @SearchText({ description: 'Only names that contain this text.', min: 3, optional: true }) q?: string;
  @Email({ description: 'Only this email address.', optional: true }) email?: string;
  @Timestamp({
    description: 'Only those changed since, also merged and erased ones.',
    optional: true,
  })
  updatedSince?: string;
}

export class GuestView {
  @Id('guest', { description: 'Guest id (guest_…).' }) id: string;
  @Text({ description: 'Name of the guest.', max: 200 }) name: string;
  @Text({ description: 'Email address of the guest.', max: 254, nullable: true }) email: string | null;
  @Text({ description: 'Phone number of the guest.', max: 50, nullable: true }) phone: string | null;
  @Text({ description: 'Language of the guest (BCP 47).', max: 35, nullable: true }) locale: string | null;
  @Text({ description: 'Notes about the guest.', max: 10_000, nullable: true }) notes: string | null;
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the guest in other systems, for credentials that may read connections.',
    max: mostReferences,
  })
  externalRefs: ExternalRef[];
  @Id('guest', { description: 'Guest that this one was merged into (guest_…).', nullable: true }) mergedInto:
    | string
    | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the guest was added.' }) createdAt: string;
  @Timestamp({ description: 'When the guest was last changed.' }) updatedAt: string;
}

/** A guest, or what is known of one who was erased: only the id and when. */
export class ListedGuest extends PartialType(OmitType(GuestView, ['id', 'updatedAt'])) {
  @Id('guest', { description: 'Guest id (guest_…).' }) id: string;
  @Timestamp({
    description: 'Only with updatedSince: when the guest was erased; other fields are missing.',
    optional: true,
  })
  erasedAt?: string;
  @Timestamp({ description: 'When the guest was last changed.' }) updatedAt: string;
}
