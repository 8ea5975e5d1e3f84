import { invalidField } from '#errors';

export const byOrTo = () => invalidField(['by'], 'Pass either by or to.');

export const notForward = (field: string) => invalidField([field], 'The clock only moves forward. Pass a later time.');

export const tooFar = (field: string, days: number) =>
  invalidField([field], `The clock moves at most ${days} days at a time. Pass an earlier time, and advance it again.`);
