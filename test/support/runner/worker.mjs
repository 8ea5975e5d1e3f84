import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { createEmptyTestResult } from '@jest/test-result';
import { addEventHandler, default as circus, getState, resetState, run as runTests } from 'jest-circus';
import { formatResultsErrors } from 'jest-message-util';
import { ModuleMocker } from 'jest-mock';

const mocker = new ModuleMocker(globalThis);
let timers;
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (config) => timers.useFakeTimers(config),
  useRealTimers: () => timers.useRealTimers(),
  setTimeout: (milliseconds) => (getState().testTimeout = milliseconds),
};
Object.assign(globalThis, circus, { expect: jestExpect, jest });

// `toEqual` treats an undefined element like a missing one, so that a list of faults would seem empty.
const isList = Array.isArray;
jestExpect.addEqualityTesters([
  (one, other) => (isList(one) && isList(other) && one.length !== other.length ? false : undefined),
]);

/** An error that is thrown outside of every test fails the test that is running. */
const strays = [];
process.on('uncaughtException', (error) => (getState().currentlyRunningTest?.errors ?? strays).push(error));
addEventHandler((event, state) => {
  if (event.name !== 'test_start') return;
  jestExpect.setState({ currentTestName: nameOf(event.test), suppressedErrors: [], testPath: state.testPath });
});

let runs = 0;
let isReady = false;

process.once('disconnect', () => process.exit());
process.on('message', (file) => {
  const answer = (outcome) => process.send({ ...outcome, memory: process.memoryUsage.rss() });
  void run(...file).then(
    (result) => answer({ result }),
    (error) => answer({ error }),
  );
});

/** Runs one test file. @returns Jest's result of it. */
async function run(path, config, globalConfig) {
  timers ??= new ModernFakeTimers({ config, global: globalThis });
  if (!isReady) for (const file of config.setupFiles) await import(pathToFileURL(file).href);
  isReady = true;
  resetState();
  Object.assign(getState(), {
    testTimeout: globalConfig.testTimeout ?? config.testTimeout,
    ...(globalConfig.testNamePattern && { testNamePattern: new RegExp(globalConfig.testNamePattern, 'i') }),
  });
  strays.length = 0;
  jestExpect.setState({ testPath: path, expand: globalConfig.expand });
  const start = Date.now();
  try {
    runs += 1;
    await import(`${pathToFileURL(path).href}?run=${runs}`);
    const { testResults, unhandledErrors } = await runTests();
    const results = testResults.map(asAssertion);
    return resultOf(path, config, globalConfig, start, results, [
      ...unhandledErrors,
      ...strays.map((error) => inspect(error)),
    ]);
  } finally {
    timers.useRealTimers();
    mocker.restoreAllMocks();
  }
}

const nameOf = ({ name, parent }) => (parent?.parent ? `${nameOf(parent)} ${name}` : name);

/** What jest-circus reports of one test, in the form that Jest's reporters read. */
function asAssertion({ testPath, errors, errorsDetailed, status, ...rest }) {
  const [, ...titles] = testPath;
  return {
    ...rest,
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    failureDetails: errorsDetailed,
    failureMessages: errors,
    status: status === 'skip' ? 'pending' : status === 'todo' ? 'todo' : errors.length > 0 ? 'failed' : 'passed',
  };
}

function resultOf(path, config, globalConfig, start, results, unhandled) {
  const count = (status) => results.filter((result) => result.status === status).length;
  const failed = formatResultsErrors(results, config, globalConfig, path) ?? '';
  const end = Date.now();
  return {
    ...createEmptyTestResult(),
    failureMessage: failed || unhandled.length > 0 ? `${failed}\n${unhandled.join('\n')}` : null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: end - start > config.slowTestThreshold * 1000,
      loadTestEnvironmentStart: start,
      loadTestEnvironmentEnd: start,
      setupAfterEnvStart: start,
      setupAfterEnvEnd: start,
      setupFilesStart: start,
      setupFilesEnd: start,
    },
    testExecError: unhandled.length > 0 ? { message: '', stack: unhandled.join('\n') } : undefined,
    testFilePath: path,
    testResults: results,
  };
}
