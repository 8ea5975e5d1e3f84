import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { BuiltInRole } from '../../platform/callers/permissions.js';

@Entity('roles')
export class Role {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('role') }) id: string;
  @Column('text') name: string;
  /** A built-in role's permissions come from the code, so that a release can add to them. */
  @Column('text', { nullable: true }) builtIn: BuiltInRole | null;
  @Column('text', { array: true }) permissions: string[];
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
