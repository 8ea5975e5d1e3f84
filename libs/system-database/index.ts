// A door of its own, so that the boundaries (dependency-cruiser) can name who may stand above the organizations.
export { SystemDatabase } from '../persistence/database.js';
