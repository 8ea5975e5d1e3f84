import { CounterOrTime, Int, OpenObject } from '#operations';
import type { SourceVersion } from './source-version.js';

export class VersionsDetails {
  @CounterOrTime({ description: 'Version that was saved.' }) known: SourceVersion;
  @CounterOrTime({ description: 'Version that was sent.' }) given: SourceVersion;
}

export class BulkItemDetails {
  @Int({ description: 'Index of the item in items, from 0.', min: 0, max: 1_000 }) index: number;
  @OpenObject({ description: 'Why it was rejected: type, code, message and details.' }) error: object;
}
