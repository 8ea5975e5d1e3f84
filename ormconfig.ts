import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/processes/data-source.js';

/** For the TypeORM command line: `typeorm migration:generate -d dist/ormconfig.js`, with DATABASE_URL set. */
export default new DataSource(dataSourceOptions({ url: process.env.DATABASE_URL ?? '', max: 1 }));
