// A separate entry, so that the boundaries (dependency-cruiser) can name who may see all organizations.
export { SystemDatabase } from '../persistence/system-database.js';
