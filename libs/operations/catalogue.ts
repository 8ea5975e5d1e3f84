import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { operationOf } from './handles.js';
import type { Operation } from './operation.js';

/** An operation and the method that handles it. */
export interface Handled {
  readonly operation: Operation;
  readonly controller: object;
  readonly method: (...args: unknown[]) => unknown;
  readonly methodName: string;
  /** The subject: TasksController handles `tasks`. */
  readonly feature: string;
  /** The folder of its module, which may contain several subjects: OrganizationsModule also contains `properties`. */
  readonly folder: string;
}

/** `TasksController` → `tasks`, `ApiKeysController` → `api-keys`. */
export const featureOf = (controllerClass: { name: string }): string => nameOf(controllerClass, /Controller$/);

const nameOf = ({ name }: { name: string }, suffix: RegExp): string =>
  name
    .replace(suffix, '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();

/** Every operation of the service, found once at startup: OpenAPI, the MCP tools and the tests' matrix read it. */
@Injectable()
export class Catalogue {
  private handled?: readonly Handled[];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): readonly Handled[] {
    this.handled ??= this.find();
    return this.handled;
  }

  private find(): Handled[] {
    const found = this.discovery.getControllers().flatMap(({ instance, host }) => {
      const controller = instance as Record<string, Handled['method']>;
      const folder = nameOf(host?.metatype ?? controller.constructor, /Module$/);
      return this.scanner.getAllMethodNames(Object.getPrototypeOf(controller) as object).flatMap((methodName) => {
        const method = controller[methodName] as Handled['method'];
        const operation = operationOf(method);
        return operation
          ? [{ operation, controller, method, methodName, feature: featureOf(controller.constructor), folder }]
          : [];
      });
    });
    refuseDoubles(found);
    return found.sort((a, b) => a.operation.name.localeCompare(b.operation.name, 'en'));
  }
}

function refuseDoubles(found: readonly Handled[]): void {
  const seen = new Set<string>();
  for (const { operation } of found) {
    for (const key of [operation.name, `${operation.method} ${operation.path}`]) {
      if (seen.has(key)) throw new Error(`Two operations are called ${key}`);
      seen.add(key);
    }
  }
}
