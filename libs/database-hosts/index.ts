export { databaseHosts, serversOf } from './database-hosts.js';
