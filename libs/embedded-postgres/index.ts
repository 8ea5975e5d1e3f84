export { type ClusterCopy, continueCopy, copyCluster } from './cluster-backup.js';
export { recoverCluster } from './cluster-recovery.js';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  clusterDirOf,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.js';
