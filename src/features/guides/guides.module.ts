import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { ModelsModule } from '../../outside/models/models.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { GuidesController } from './guides.controller.js';
import { GuidesRepository } from './guides.repository.js';
import { GuidesService } from './guides.service.js';
import { Nominatim } from './openstreetmap/nominatim.js';
import { MapRequests } from './openstreetmap/map-requests.js';
import { OpenStreetMap } from './openstreetmap/open-street-map.js';
import { Overpass } from './openstreetmap/overpass.js';
import { PlaceImports } from './places/place-imports.js';
import { PlacesController } from './places/places.controller.js';
import { PlacesRepository } from './places/places.repository.js';
import { PlacesService } from './places/places.service.js';
import { Publications } from './public/publications.js';
import { PublicGuidesController } from './public/public-guides.controller.js';
import { PublicGuidesRepository } from './public/public-guides.repository.js';
import { MachineTranslations } from './translations/machine-translations.js';
import { GuidePutBacks } from './guide-put-backs.service.js';
import { GuideTexts } from './guide-texts.js';
import { TranslationsController } from './translations/translations.controller.js';
import { TranslationsRepository } from './translations/translations.repository.js';
import { TranslationsService } from './translations/translations.service.js';

@Module({
  imports: [EventsModule, ModelsModule, OrganizationsModule],
  controllers: [GuidesController, PlacesController, TranslationsController],
  providers: [
    GuidesRepository,
    GuidePutBacks,
    GuidesService,
    GuideTexts,
    MachineTranslations,
    MapRequests,
    Nominatim,
    OpenStreetMap,
    Overpass,
    PlaceImports,
    PlacesRepository,
    PlacesService,
    Publications,
    TranslationsRepository,
    TranslationsService,
  ],
})
export class GuidesModule {}

/** Where guests read what is published, outside /api/v1. */
@Module({ controllers: [PublicGuidesController], providers: [PublicGuidesRepository] })
export class PublicGuidesModule {}
