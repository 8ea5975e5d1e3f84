import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import { type Answer, errorAnswer, invalidField, type Issue } from '#errors';
import { answerTypeOf, type Effect, type JsonSchema, type Operation, readInput } from '#operations';
import { takeMisplacedDryRun } from '../../edge/input/misplaced-dry-run.js';
import { CallByName, FindOperations } from './by-name.dto.js';
import { callers, effectCalledBy, finder, verbs } from './by-name-tools.js';
import { OperationSearch } from './operation-search.js';
import { descriptionOf } from './tool-definitions.js';
import type { ToolSelection } from './tool-selection.js';
import { type Tool, ToolsService } from './tools.service.js';

const defaultLimit = 5;

/** A call of an operation, or the answer of findOperations or of a refused call. */
export type Called = OperationCalled | { readonly answer: Answer };
export interface OperationCalled {
  readonly tool: Tool;
  readonly input: object;
}

interface FoundOperation {
  name: string;
  effect: Effect;
  description: string;
  inputSchema: JsonSchema;
  /** What it returns as `data`, as a TypeScript type. */
  answer: string;
}

/** Finds and calls operations for an address that does not list all of them. */
@Injectable()
export class ByNameService {
  private index?: OperationSearch;

  constructor(private readonly tools: ToolsService) {}

  /** What a call of one of the four tools amounts to; undefined for any other tool. */
  called(name: string, given: object, selection: ToolSelection, context: RequestContext): Called | undefined {
    const effect = effectCalledBy(name);
    if (!effect && name !== finder) return undefined;
    const { requestId, caller } = context;
    try {
      if (effect) return this.operationCalled(effect, given, selection);
      const data = this.find(caller as Caller, given, selection);
      return { answer: { status: 200, headers: {}, value: { data, meta: { requestId } } } };
    } catch (error) {
      return { answer: errorAnswer(error, requestId, { service: 'mcp', method: name }) };
    }
  }

  /** @throws validation_error if nothing is asked for, or a name is not known. */
  private find(caller: Caller, given: object, selection: ToolSelection): FoundOperation[] {
    const { words, names = [], limit = defaultLimit } = readInput(FindOperations, given);
    if (words === undefined && names.length === 0) throw invalidField(['words'], 'Pass words or names.');
    const usable = new Set(this.tools.usable(caller, selection).map(({ operation }) => operation));
    const named = names.map((name, index) => this.named(name, ['names', index]).operation);
    const found = words === undefined ? [] : this.search(words).filter((operation) => usable.has(operation));
    return [...new Set([...named.filter((operation) => usable.has(operation)), ...found.slice(0, limit)])].map(
      (operation) => ({
        name: operation.name,
        effect: operation.effect,
        description: descriptionOf(operation),
        inputSchema: this.tools.definitionOf(operation).inputSchema,
        answer: answerTypeOf(operation.output),
      }),
    );
  }

  /**
   * The tool of an operation that is called by its name, and its input. Whether the caller may use it is decided as if
   * its own tool had been called.
   *
   * @throws validation_error for an unknown name, and for an operation of another effect.
   */
  private operationCalled(effect: Effect, given: object, selection: ToolSelection): OperationCalled {
    const { rest, misplaced } = takeMisplacedDryRun('mcp', { effect }, { path: {}, query: {}, body: given });
    const { operation: name, arguments: input = {} } = readInput(CallByName, rest.body as object, misplaced);
    const tool = this.named(name, ['operation']);
    const { effect: actual } = tool.operation;
    if (!selection.allows(tool.operation)) {
      throw invalidField(['operation'], `${name} ${verbs[actual]}, and this address is read-only.`);
    }
    if (actual !== effect) {
      throw invalidField(['operation'], `${name} ${verbs[actual]}. Call it with ${callers[actual]}.`);
    }
    return { tool, input };
  }

  private named(name: string, path: Issue['path']): Tool {
    const tool = this.tools.named(name);
    if (tool) return tool;
    const [like] = this.search(name);
    const hint = like ? `Did you mean ${like.name}? ` : '';
    throw invalidField(path, `Unknown operation ${name}. ${hint}${finder} finds operations by words.`);
  }

  private search(words: string): Operation[] {
    this.index ??= new OperationSearch(this.tools.all.map(({ operation }) => operation));
    return this.index.find(words);
  }
}
