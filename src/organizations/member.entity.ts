import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';

export const memberStatuses = ['invited', 'active', 'suspended', 'removed'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** Someone, or a machine, that acts in an organization. */
@Entity('members')
export class Member {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('member') }) id: string;
  @Column('text') kind: 'user' | 'machine';
  @Column('text') name: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('user') }) userId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('role') }) roleId: string | null;
  /** The properties it may see; null for all of them. */
  @Column('uuid', { array: true, nullable: true, transformer: idColumn('property') }) propertyIds: string[] | null;
  @Column('text') status: MemberStatus;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

/** A machine member for an API key to act as; the key's scopes rule, so it has no role. */
export function machineFor(orgId: string, name: string): Member {
  const now = new Date().toISOString();
  return Object.assign(new Member(), {
    orgId,
    id: newId('member'),
    kind: 'machine' as const,
    name,
    email: null,
    userId: null,
    roleId: null,
    propertyIds: null,
    status: 'active' as const,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
