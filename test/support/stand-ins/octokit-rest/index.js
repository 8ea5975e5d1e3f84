/** Nothing reports to GitHub here. */
export class Octokit {
  constructor() {
    throw new Error('Install @octokit/rest to report to GitHub');
  }
}
