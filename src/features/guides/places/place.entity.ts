import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { Geo } from '../../../tenancy/properties/property.dto.js';
import type { Guide } from '../guide.entity.js';
import type { PlaceSource, PlaceStatus, PlaceView } from './place.dto.js';
import type { PlaceCategory } from '../place-categories.js';

@Entity('guide_places')
export class Place implements PlaceView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('place') }) id: string;
  @Column('uuid', { transformer: idColumn('guide') }) guideId: string;
  @Column('text') name: string;
  @Column('text') category: PlaceCategory;
  @Column('text') status: PlaceStatus;
  @Column('text', { nullable: true }) note: string | null;
  @Column('text', { nullable: true }) address: string | null;
  @Column('jsonb', { nullable: true }) geo: Geo | null;
  @Column('text', { nullable: true }) phone: string | null;
  @Column('text', { nullable: true }) website: string | null;
  @Column('text', { nullable: true }) openingHours: string | null;
  @Column('text') source: PlaceSource;
  @Column('text', { nullable: true }) sourceRef: string | null;
  @Column('text', { nullable: true }) attribution: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

/** A place with the given fields only. It was entered by a person, so it is approved. */
export function newPlace({ orgId, id }: Guide, given: Partial<Place> & Pick<Place, 'name'>): Place {
  const now = new Date().toISOString();
  return Object.assign(new Place(), {
    category: 'other' as const,
    status: 'approved' as const,
    note: null,
    address: null,
    geo: null,
    phone: null,
    website: null,
    openingHours: null,
    source: 'manual' as const,
    sourceRef: null,
    attribution: null,
    ...given,
    orgId,
    guideId: id,
    id: newId('place'),
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
