import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { PropertyType, PropertyView } from './property.dto.js';

@Entity('properties')
export class Property implements PropertyView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('property') }) id: string;
  @Column('text') name: string;
  @Column('text') timezone: string;
  @Column('text') type: PropertyType;
  @Column('text') checkInTime: string;
  @Column('text') checkOutTime: string;
  @Column('text', { array: true }) tags: string[];
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
