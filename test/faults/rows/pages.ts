import type {Fault} from '../fault.ts'

/** Faults in `cli/`, `snippet/`, `studio/` and `deploy/`. */
export const PAGES: readonly Fault[] = [
  {
    name: 'an import repeats a request earlier than Retry-After says',
    file: 'cli/transfer/retry.ts',
    find: 'Math.max(backoffDelay(attempt, BACKOFF), retryAfter(error))',
    replace: 'backoffDelay(attempt, BACKOFF) + 0 * retryAfter(error)',
  },
  {
    name: 'a comma in a path cuts off an annotation of GitHub',
    file: 'cli/check/report/github.ts',
    find: ".replaceAll(',', '%2C')",
    replace: '',
  },
  {
    name: 'an export deletes a document before those that refer to it',
    file: 'cli/export/plan.ts',
    find: 'return componentsOf(surplus).reverse().flat()',
    replace: 'return componentsOf(surplus).flat()',
  },
  {
    name: 'a backtick ends a code span in the comment of a pull request',
    file: 'cli/diff/code.ts',
    find: "'`'.repeat(longestRun(line) + 1)",
    replace: "'`'.repeat(Math.max(1, longestRun(line)))",
  },
  {
    name: 'the content of a repository hides text in a terminal',
    file: 'cli/printable.ts',
    find: String.raw`[\p{Cc}\p{Cf}\p{Zl}`,
    replace: String.raw`[\p{Cc}\p{Zl}`,
  },
  {
    name: 'a tool refuses an argument of exactly the maximum',
    file: 'snippet/calls/arguments.ts',
    find: 'size > Number(limit)',
    replace: 'size >= Number(limit)',
  },
  {
    name: 'an agent is told that a page said nothing although it answered',
    file: 'snippet/calls/answers.ts',
    find: 'answered.add(this)',
    replace: '',
  },
  {
    name: 'a page that a person reloads keeps a config from before a publish',
    file: 'snippet/site.ts',
    find: "?.type === 'reload'",
    replace: "?.type === 'never'",
  },
  {
    name: 'the line for a policy makes it allow less than before',
    file: 'snippet/preview/blocked.ts',
    find: '[directive, ...sources, ',
    replace: '[directive, ',
  },
  {
    name: 'a page polls more often than every ten seconds',
    file: 'snippet/config.ts',
    find: 'Number(pollInterval) || DEFAULT_INTERVAL, SHORTEST_INTERVAL)',
    replace: 'Number(pollInterval) || DEFAULT_INTERVAL, 0)',
  },
  {
    name: 'a tool that was removed stays on the page',
    file: 'snippet/tools.ts',
    find: 'registration.abort()',
    replace: '',
  },
  {
    name: 'an agent sees a part of the tools',
    file: 'snippet/tools.ts',
    find: 'if (!entry) pending.push(register(tool))',
    replace: 'if (!entry) await register(tool)',
  },
  {
    name: 'the descriptions of a form that describes itself are overwritten',
    file: 'snippet/forms.ts',
    find: 'if (element === form ? isNew : getAttribute.call(element, attribute) === null)',
    replace: 'if (element !== form || isNew)',
  },
  {
    name: 'streams keep waiting after their socket broke',
    file: 'studio/streams.ts',
    find: 'for (const stream of [...this.#open.values()]) stream.fail(reason)',
    replace: '',
  },
  {
    name: 'the code editor does not show what a colleague changes',
    file: 'studio/inputs/code/textSync.ts',
    find: 'changesOf(makeDiff(this.#shown, text))',
    replace: 'changesOf([])',
  },
  {
    name: 'what somebody types where a colleague types at the same time is left out',
    file: 'common/text/mergePatches.ts',
    find: 'if (type === DIFF_INSERT) {',
    replace: 'if (type === DIFF_INSERT && found[index] === place) {',
  },
  {
    name: 'Studio throws away what was typed when the lake refuses to save it',
    file: 'studio/saving/refusedSaves.ts',
    find: 'status: TRY_AGAIN',
    replace: 'status: response.status',
  },
  {
    name: 'a review shows a line too few after a change',
    file: 'studio/review/diff/diffRows.ts',
    find: 'at <= index + CONTEXT',
    replace: 'at < index + CONTEXT',
  },
  {
    name: 'Studio is not built again after a change of the schemas',
    file: 'studio/build/fingerprint.ts',
    find: "  'schemas',\n",
    replace: '',
  },
  {
    name: 'a parameter that is renamed is no longer required',
    file: 'studio/inputs/parameters/table.ts',
    find: 'required.map((own) => (own === name ? next : own))',
    replace: 'required.filter((own) => own !== name)',
  },
  {
    name: 'a second comment is added to a pull request',
    file: 'deploy/ci/comment.mjs',
    find: 'if (found !== undefined) return found.id',
    replace: 'if (found?.id === 0) return found.id',
  },
  {
    name: 'Docker considers a process healthy that returns errors',
    file: 'deploy/healthcheck.ts',
    find: 'process.exitCode = ok ? 0 : 1',
    replace: 'process.exitCode = ok ? 0 : 0',
  },
  {
    name: 'a script can agree to run drafts',
    file: 'snippet/preview/view/question.tsx',
    find: 'if (event.isTrusted) site.runDrafts()',
    replace: 'site.runDrafts()',
  },
  {
    name: 'a review hides fields that begin with "_"',
    file: 'studio/review/changes.ts',
    find: '!SET_BY_LAKE.has(field)',
    replace: "!field.startsWith('_')",
  },
]
