/**
 * A version that cannot be rendered with some data. The message gives the reason. Threads import this file, so that they
 * do not load the interface's classes.
 */
export class Unrenderable extends Error {}
