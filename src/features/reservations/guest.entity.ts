import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import type { CreateGuest, GuestView } from './guest.dto.js';

/** The view that includes erased guests. */
@Entity('guest_changes')
export class GuestChange {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('guest') }) id: string;
  @Column('timestamptz', { nullable: true }) erasedAt: string | null;
  @Column('timestamptz') updatedAt: string;
}

@Entity('guests')
export class Guest implements GuestView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('guest') }) id: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('text', { nullable: true }) phone: string | null;
  @Column('text', { nullable: true }) locale: string | null;
  @Column('text', { nullable: true }) notes: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  /** Set in what remains of a guest who was merged into another one. */
  @Column('uuid', { nullable: true, transformer: idColumn('guest') }) mergedInto: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

export function newGuest(
  orgId: string,
  given: Omit<CreateGuest, 'externalRefs'> & Pick<Partial<Guest>, 'externalRefs'>,
): Guest {
  const now = new Date().toISOString();
  return Object.assign(new Guest(), {
    metadata: {},
    externalRefs: [],
    mergedInto: null,
    ...given,
    email: given.email ?? null,
    phone: given.phone ?? null,
    locale: given.locale ?? null,
    notes: given.notes ?? null,
    orgId,
    id: newId('guest'),
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}

/** Details as they are stored: without spaces around them. */
export const tidied = <Details extends Partial<CreateGuest>>(details: Details): Details => ({
  ...details,
  ...(details.name && { name: details.name.trim() }),
  ...(details.phone && { phone: details.phone.trim() }),
});

/** Whether the given details of a guest match the stored ones. */
export const isSameGuest = (guest: Guest, given: Partial<CreateGuest>): boolean =>
  Object.entries(given).every(
    ([name, value]) => value === undefined || value === (tidied(guest)[name as keyof CreateGuest] ?? null),
  );
