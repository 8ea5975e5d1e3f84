import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';

/** A person; above the organizations, a member of any number of them. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid', { transformer: idColumn('user') }) id: string;
  @Column('text') email: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) passwordHash: string | null;
  /** True while an authenticator or a passkey is enrolled; written in the same transaction as those. */
  @Column('boolean') hasSecondFactor: boolean;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
