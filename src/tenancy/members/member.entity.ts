import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { MemberKind, MemberStatus, MemberView } from './member.dto.js';

/** Someone, or a machine, that acts in an organization. */
@Entity('members')
export class Member implements MemberView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('member') }) id: string;
  @Column('text') kind: MemberKind;
  @Column('text') name: string;
  @Column('text', { nullable: true }) email: string | null;
  /** The person's account; null until there is one for the address that was invited. */
  @Column('uuid', { nullable: true, transformer: idColumn('user') }) userId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('role') }) roleId: string | null;
  /** The properties it may see; null for all of them. */
  @Column('uuid', { array: true, nullable: true, transformer: idColumn('property') }) propertyIds: string[] | null;
  @Column('text') status: MemberStatus;
  /** When the letter went that invites this address; null where none did. */
  @Column('timestamptz', { nullable: true }) invitationSentAt: string | null;
  /** The member who invited this one. */
  @Column('uuid', { nullable: true, transformer: idColumn('member') }) invitedBy: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

type Given = Pick<Member, 'orgId' | 'kind' | 'name' | 'email' | 'userId' | 'roleId' | 'propertyIds' | 'status'> &
  Partial<Pick<Member, 'invitationSentAt' | 'invitedBy'>>;

export function newMember(given: Given): Member {
  const now = new Date().toISOString();
  return Object.assign(new Member(), {
    invitationSentAt: null,
    invitedBy: null,
    ...given,
    id: newId('member'),
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}

/**
 * A machine member for an API key to act as; the key's scopes rule, so it has no role.
 *
 * @param propertyIds the limit of who creates it, so that a limited caller creates nothing without a limit.
 */
export const machineFor = (orgId: string, name: string, propertyIds: readonly string[] | null = null): Member =>
  newMember({
    orgId,
    kind: 'machine',
    name,
    email: null,
    userId: null,
    roleId: null,
    propertyIds: propertyIds && [...propertyIds],
    status: 'active',
  });
