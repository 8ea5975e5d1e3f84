export { databaseHosts } from './database-hosts.js';
