import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Guides with their places and translations, and what is live of them. */
export class Guides1700000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table guides (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        status text not null check (status in ('draft', 'published', 'archived')),
        slug text not null,
        property_ids uuid[],
        source_locale text not null,
        locales text[] not null,
        sections jsonb not null,
        has_unpublished_changes boolean not null,
        published_at timestamptz,
        archived_at timestamptz,
        metadata jsonb not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        constraint guides_slug unique (slug)
      );
      create index guides_by_update on guides (org_id, updated_at, id);
      create index guides_by_name on guides (org_id, name, id);
      create index guides_by_property on guides using gin (org_id, property_ids);
      ${isolated('guides')}

      create table guide_places (
        org_id uuid not null,
        id uuid not null,
        guide_id uuid not null,
        name text not null,
        category text not null,
        status text not null check (status in ('draft', 'approved', 'hidden')),
        note text,
        address text,
        geo jsonb,
        phone text,
        website text,
        opening_hours text,
        source text not null check (source in ('osm', 'manual')),
        source_ref text,
        attribution text,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, guide_id) references guides (org_id, id)
      );
      create index guide_places_by_guide on guide_places (org_id, guide_id, id);
      ${isolated('guide_places')}

      create table guide_translations (
        org_id uuid not null,
        id uuid not null,
        guide_id uuid not null,
        locale text not null,
        text_key text not null,
        source_hash text not null,
        status text not null
          check (status in ('missing', 'pending', 'machine', 'edited', 'approved', 'stale', 'failed')),
        text text,
        origin text check (origin in ('machine', 'person')),
        problem text,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        unique (org_id, guide_id, locale, text_key),
        foreign key (org_id, guide_id) references guides (org_id, id)
      );
      create index guide_translations_by_guide on guide_translations (org_id, guide_id, id);
      ${isolated('guide_translations')}

      create table published_guides (
        org_id uuid not null,
        guide_id uuid not null,
        slug text not null unique,
        content jsonb not null,
        primary key (org_id, guide_id),
        foreign key (org_id, guide_id) references guides (org_id, id)
      );
      ${isolated('published_guides')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table published_guides, guide_translations, guide_places, guides;');
  }
}
