// Writes docs/openapi.json from the build, without a database. A change that breaks clients is listed and not written,
// unless --breaking allows it.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { readConfig } from '../dist/src/platform/config/app.config.js';
import { AppModule } from '../dist/src/processes/app.module.js';
import { openApiDocument } from '../dist/src/doors/openapi/document.js';
import { Catalogue } from '../dist/libs/operations/index.js';
import { breakingChanges } from './breaking-changes.ts';

const file = 'docs/openapi.json';
const given = JSON.parse(readFileSync(file, 'utf8'));

// A test environment has all operations; a live one has all except those that move its clock.
const config = readConfig({ BASE_URL: given.servers[0].url, ENVIRONMENT: 'test' });
// Nest's preview reads the modules and creates none of their providers, so this creates the ones it needs.
const environment = { config, keyring: undefined, databaseUrl: '' };
const app = await NestFactory.createApplicationContext(AppModule.of(environment), { preview: true, logger: false });
const catalogue = new Catalogue(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner());
const written = await openApiDocument(catalogue.all(), config);

const breaking = breakingChanges(given, JSON.parse(JSON.stringify(written)));
for (const sentence of breaking) console.error(sentence);
if (breaking.length > 0 && !process.argv.includes('--breaking')) {
  console.error(`These break clients, so ${file} stays as it is. If they are meant: npm run openapi -- --breaking`);
  process.exitCode = 1;
} else writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
