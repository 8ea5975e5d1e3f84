import { type Issue, ServiceError } from '#errors';
import { readInput } from '#operations';
import { mostSteps, WorkflowStep, type WorkflowTrigger } from './definition.dto.js';
import { allSteps, type BranchStep, fieldsOfStep, fieldsOfTrigger, type Step } from './definition.js';

type Path = Issue['path'];

/** Steps lie in each other so deep. */
const deepest = 3;

/** Reads steps as they are written, those within branches too; whatever is wrong is added to `issues`. */
export function readSteps(given: readonly WorkflowStep[], issues: Issue[]): Step[] {
  const steps = readList(given, ['steps'], 1, issues);
  const all = allSteps(steps);
  if (all.length > mostSteps)
    issues.push({ path: ['steps'], message: `Give up to ${mostSteps} steps altogether; these are ${all.length}.` });
  nameAll(all, issues);
  return steps;
}

/** Whether a trigger has the fields of its kind, and no others. */
export const triggerIssues = (trigger: WorkflowTrigger): Issue[] =>
  fieldIssues(trigger, trigger.kind, fieldsOfTrigger[trigger.kind], ['trigger']);

function readList(given: readonly object[], at: Path, depth: number, issues: Issue[]): Step[] {
  if (depth > deepest) {
    issues.push({ path: at, message: `Branches may lie in each other up to ${deepest} deep.` });
    return [];
  }
  return given.flatMap((raw, index) => {
    const here = [...at, index];
    const step = readOne(raw, here, issues);
    if (!step) return [];
    const wrong = fieldIssues(step, step.kind, fieldsOfStep[step.kind], here);
    issues.push(...wrong);
    if (step.kind !== 'branch') return [step as Step];
    const { steps = [], otherwise, ...branch } = step;
    return [
      {
        ...branch,
        steps: readList(steps, [...here, 'steps'], depth + 1, issues),
        ...(otherwise && { otherwise: readList(otherwise, [...here, 'otherwise'], depth + 1, issues) }),
      } as BranchStep,
    ];
  });
}

/** Steps within branches have not been read by the edge, which does not know them. */
function readOne(raw: object, at: Path, issues: Issue[]): WorkflowStep | undefined {
  try {
    return { ...readInput(WorkflowStep, raw, [], at) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    issues.push(...issuesOf(error, at));
    return undefined;
  }
}

/** What an error says of an input, with the place for those that name none: ids that are none. */
export const issuesOf = (error: ServiceError, at: Path): Issue[] =>
  (error.details.issues as Issue[] | undefined) ?? [{ path: at, message: error.message }];

function fieldIssues(
  value: object,
  kind: string,
  { required, optional }: { required: readonly string[]; optional: readonly string[] },
  at: Path,
): Issue[] {
  const missing = required
    .filter((name) => (value as Record<string, unknown>)[name] === undefined)
    .map((name) => ({ path: [...at, name], message: `${kind} needs this field.` }));
  const known = ['id', 'kind', ...required, ...optional];
  const others = Object.entries(value)
    .filter(([name, inner]) => inner !== undefined && !known.includes(name))
    .map(([name]) => ({ path: [...at, name], message: `${kind} has no such field; leave it out.` }));
  return [...missing, ...others];
}

/** Names for steps without one; two of one name are an issue. */
function nameAll(steps: readonly Step[], issues: Issue[]): void {
  const taken = new Set<string>();
  for (const { id } of steps.filter((step) => step.id !== undefined)) {
    if (taken.has(id))
      issues.push({ path: ['steps'], message: `Two steps are named ${id}; give each a name of its own.` });
    taken.add(id);
  }
  let number = 0;
  for (const step of steps.filter(({ id }) => id === undefined)) {
    do number += 1;
    while (taken.has(`step_${number}`));
    step.id = `step_${number}`;
  }
}
