import { isObject } from './json-rpc.js';

export type Meta = Readonly<Record<string, unknown>>;

/** The extension by which a call may be answered with a task (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** What a client of 2026-07-28 declares with each request. */
const declared = (meta: Meta): Meta => inside(meta, 'io.modelcontextprotocol/clientCapabilities');

/** Whether the client can send a person to a page. */
export const opensPages = (meta: Meta): boolean => isObject(inside(declared(meta), 'elicitation').url);

/** Whether the client takes a task for the result of a call. */
export const followsTasks = (meta: Meta): boolean => isObject(inside(declared(meta), 'extensions')[tasksExtension]);

const inside = (value: Meta, name: string): Meta => (isObject(value[name]) ? value[name] : {});
