import fc from 'fast-check'
import {oddName, weighted, wildText} from '../text.ts'

/** What a CI system obeys in a log, and what moves the cursor of a terminal. */
const command = fc.constantFrom(
  ...['##[add-mask]x', '###[error]x', '##vso[task.setvariable variable=a]b', "##teamcity[message text='x']"],
  ...[
    '::stop-commands::x',
    '  ::error::x',
    '\n::add-mask::x',
    '\r::debug::x',
    '\u00a0::x::',
    '%0A::error::x',
  ],
  ...['\u001b[2J', 'section_start:1:x\r\u001b[0K', '\u2028::x::'],
)

const text = fc.oneof(weighted(3, command), weighted(1, wildText), weighted(1, fc.constant('Fine')))

const tool = fc
  .record({name: text, description: text, pathPattern: text, inputSchema: text, executeJs: text, more: text})
  .map(({more, ...fields}) => ({
    _id: 'pay',
    _type: 'tool',
    site: {_type: 'reference', _ref: 'bank'},
    enabled: true,
    ...fields,
    [more]: more,
    tests: [{_key: 'a', title: more, page: '/', expect: [{_key: 'a', kind: 'matches', value: fields.name}]}],
  }))

const fileName = fc
  .oneof(command, oddName)
  .map((name) => name.replace(/[/\0]/g, '_').toWellFormed().slice(0, 60))
  .filter((name) => !/^(?:\.{0,2}|\.git|git~1)$/i.test(name))

/** Where a repository is imitated, such as the folder that is checked or the one that `npm start` uses. */
const place = fc.oneof(
  weighted(1, fc.constant('content')),
  weighted(1, fc.constantFrom('content/tool', 'content/site', '.handrail/content.git', '', 'other')),
)

/** Settings with which Git runs a command. */
export const settings = (ran: string) => `[core]
\trepositoryformatversion = 0
\tbare = false
\tworktree = .
\tfsmonitor = "touch ${ran}; false"
\thooksPath = .
\tpager = touch ${ran}
\tsshCommand = touch ${ran}
[filter "x"]
\tclean = touch ${ran}
\tsmudge = touch ${ran}
[diff]
\texternal = touch ${ran}
`

const mostly = (value: boolean) => fc.oneof(weighted(4, fc.constant(value)), weighted(1, fc.constant(!value)))

/** The files of a pull request. */
export const oddFolder = fc.record({
  tool,
  script: text,
  others: fc.array(fc.tuple(fileName, text), {maxLength: 3}),
  repositories: fc.array(
    // Git takes most of them for a repository.
    fc.record({place, isWhole: mostly(true), common: mostly(false), attributes: fc.boolean()}),
    {maxLength: 2},
  ),
})
