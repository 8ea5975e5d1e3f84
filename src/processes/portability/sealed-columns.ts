import { Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import type { Step } from '../../features/workflows/definition.js';
import { withInputsAs } from '../../features/workflows/runs/noted-inputs.js';
import type { RunStep } from '../../features/workflows/runs/run.entity.js';
import { StepSecrets } from '../../features/workflows/step-secrets.service.js';
import { notAnExport } from './import-lines.js';
import type { SealedColumn } from './portable-tables.js';

const [orgIds, workflowIds] = [idColumn('org'), idColumn('workflow')];

/** The version of a run names its operations, whose inputs contain the secrets. */
const stepsOfVersion = `select v.steps from workflow_versions v
  where v.org_id = t.org_id and v.workflow_id = t.workflow_id and v.number = t.workflow_version`;

/** SQL for what is stored of a column, as bytes, of a row `t`. */
export function storedIn({ column, kind }: SealedColumn): string {
  if (kind === 'whole') return `t.${column}`;
  const json = kind === 'steps' ? `t.${column}` : `jsonb_build_array(t.${column}, (${stepsOfVersion}))`;
  return `convert_to(${json}::text, 'UTF8')`;
}

/** The row that a column is sealed for. */
interface Owner {
  orgId: string;
  id: string;
}

/** Opens what is encrypted for one service, and seals it for another. */
@Injectable()
export class SealedColumns {
  constructor(
    private readonly keyring: Keyring,
    private readonly secrets: StepSecrets,
  ) {}

  /** The content of a column as people may see it. */
  open(column: SealedColumn, stored: Buffer | null, owner: Owner): unknown {
    if (stored === null) return null;
    if (column.kind === 'whole') return this.keyring.open(stored, column.contextOf(owner.id));
    const steps: unknown = JSON.parse(stored.toString('utf8'));
    if (column.kind === 'steps') return this.secrets.open(steps as Step[], placeOf(owner));
    const [timeline, known] = steps as [RunStep[], Step[]];
    return withInputsAs(timeline, known, (operation, input) =>
      this.secrets.openInput(operation, input, placeOf(owner)),
    );
  }

  /**
   * What an import stores of a column.
   *
   * @throws validation_error if it is not what `open` returns.
   */
  seal(column: SealedColumn, shown: unknown, owner: Owner): unknown {
    if (column.kind === 'whole')
      return shown === null ? null : bytea(this.keyring.seal(shown as string, column.contextOf(owner.id)));
    if (!Array.isArray(shown) || !shown.every((step) => typeof step === 'object' && step !== null))
      throw notAnExport('It has a workflow whose steps are not valid.');
    return this.secrets.seal(shown as Step[], placeOf(owner));
  }
}

/** Bytes as PostgreSQL reads them from JSON. */
export const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

const placeOf = ({ orgId, id }: Owner) => ({
  orgId: orgIds.from(uuidIn(orgId)) as string,
  workflowId: workflowIds.from(id) as string,
});
