import { type Issue, ServiceError } from '#errors';
import { allSteps, type Step, type StepOf } from './definition.js';
import { type GivenStep, mostSteps } from './step.dto.js';

type Path = Issue['path'];

/** How deep branches may be nested. */
const deepest = 3;

/** The steps as they are stored, with names, including those in branches. Faults are added to `issues`. */
export function readSteps(given: readonly GivenStep[], issues: Issue[]): Step[] {
  const steps = readList(given, ['steps'], 1, issues);
  const all = allSteps(steps);
  if (all.length > mostSteps)
    issues.push({
      path: ['steps'],
      message: `A workflow can have at most ${mostSteps} steps; this one has ${all.length}.`,
    });
  nameAll(all, issues);
  return steps;
}

function readList(given: readonly GivenStep[], at: Path, depth: number, issues: Issue[]): Step[] {
  if (depth > deepest) {
    issues.push({ path: at, message: `Branches can be nested at most ${deepest} levels deep.` });
    return [];
  }
  return given.map((step, index) => {
    if (step.kind !== 'branch') return { ...step } as Step;
    const here = [...at, index];
    const { steps, otherwise, ...branch } = step;
    return {
      ...branch,
      steps: readList(steps, [...here, 'steps'], depth + 1, issues),
      ...(otherwise && { otherwise: readList(otherwise, [...here, 'otherwise'], depth + 1, issues) }),
    } as StepOf<'branch'>;
  });
}

/** The issues of an input error, with the place for errors without one, such as malformed ids. */
export const issuesOf = (error: ServiceError, at: Path): Issue[] =>
  (error.details.issues as Issue[] | undefined) ?? [{ path: at, message: error.message }];

/** Names the steps without a name; duplicate names are an issue. */
function nameAll(steps: readonly Step[], issues: Issue[]): void {
  const taken = new Set<string>();
  for (const { id } of steps.filter((step) => step.id !== undefined)) {
    if (taken.has(id))
      issues.push({ path: ['steps'], message: `Two steps have the name ${id}. Give each its own name.` });
    taken.add(id);
  }
  let number = 0;
  for (const step of steps.filter(({ id }) => id === undefined)) {
    do number += 1;
    while (taken.has(`step_${number}`));
    step.id = `step_${number}`;
  }
}
