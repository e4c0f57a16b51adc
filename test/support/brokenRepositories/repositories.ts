import {FORM, REFERENCE, SCRIPT, SITE, TEXTS, TOOL, text} from './documents.ts'

/** The content of a file, or what is there instead. */
export type BrokenFile =
  | string
  | Buffer
  | {readonly link: string}
  | {readonly submodule: string}
  | {readonly program: string}

/** A repository with one mistake, next to documents without any. */
export type BrokenRepository = {
  readonly name: string
  /** Added to {@link GOOD_FILES}, or instead of some of them. Undefined: without that file. */
  readonly files: Readonly<Record<string, BrokenFile | undefined>>
  /** What `content check` finds: code, path and line. */
  readonly findings: readonly (readonly [code: string, path: string, line?: number])[]
  /** What one of the messages says to do. */
  readonly remedy: RegExp
  /** Documents that the lake does not serve, as `<type>/<_id>`. */
  readonly unserved?: readonly string[]
}

/** A second tool, in one file. */
const OTHER = {...TOOL, ...TEXTS, _id: 'other', name: 'listDrinks', pathPattern: '/drinks'}
const OTHER_DESCRIBED = {...OTHER, description: 'Lists every drink of the bar, and how much alcohol it has.'}

const OURS = `${'<'.repeat(7)} ours`
const THEIRS = `${'>'.repeat(7)} theirs`
const MIDDLE = '='.repeat(7)
const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`
const BOM = '\ufeff'

const notServed = (path: string, line?: number) =>
  line === undefined
    ? (['DOCUMENT_NOT_SERVED', path] as const)
    : (['DOCUMENT_NOT_SERVED', path, line] as const)

export const BROKEN_REPOSITORIES: readonly BrokenRepository[] = [
  {
    name: 'JSON with a comma too many',
    files: {'tool/other.json': '{\n  "_id": "other",\n  "_type": "tool",\n}\n'},
    findings: [notServed('tool/other.json', 4)],
    remedy: /remove the comma before it/,
    unserved: ['tool/other'],
  },
  {
    name: 'half a document',
    files: {'tool/other.json': text(OTHER_DESCRIBED).slice(0, 200)},
    findings: [notServed('tool/other.json', 6)],
    remedy: /not valid JSON/,
    unserved: ['tool/other'],
  },
  {
    name: 'a text in the document and in a file',
    files: {'tool/menu.json': text({...TOOL, executeJs: SCRIPT})},
    findings: [notServed('tool/menu.json', 6)],
    remedy: /delete it from this file, or delete tool\/menu\.js/,
    unserved: ['tool/menu'],
  },
  {
    name: 'a text without its document',
    files: {'tool/gone.js': SCRIPT},
    findings: [['TEXT_ORPHANED', 'tool/gone.js']],
    remedy: /restore that file, or delete this one/,
  },
  {
    name: 'a script in a repository without a layout',
    files: {
      'lake.json': undefined,
      'tool/menu.json': text({...TOOL, ...TEXTS}),
      'tool/menu.schema.json': undefined,
    },
    findings: [['FILE_NOT_READ', 'tool/menu.js']],
    remedy: /name its extension in lake\.json/,
  },
  {
    name: 'Windows line endings',
    files: {'tool/menu.js': SCRIPT.replaceAll('\n', '\r\n')},
    findings: [['LINE_ENDINGS', 'tool/menu.js', 1]],
    remedy: /\.gitattributes/,
  },
  {
    name: 'a byte order mark',
    files: {'tool/menu.json': BOM + text(TOOL)},
    findings: [['BYTE_ORDER_MARK', 'tool/menu.json', 1]],
    remedy: /UTF-8 without one/,
  },
  {
    name: 'UTF-16',
    files: {'tool/menu.json': Buffer.from(BOM + text(TOOL), 'utf16le')},
    findings: [notServed('tool/menu.json')],
    remedy: /save the file as UTF-8/,
    unserved: ['tool/menu'],
  },
  {
    name: 'invalid UTF-8',
    files: {
      'tool/menu.js': Buffer.concat([Buffer.from("return 'caf"), Buffer.from([0xe9]), Buffer.from("'\n")]),
    },
    findings: [notServed('tool/menu.js')],
    remedy: /save the file as UTF-8/,
    unserved: ['tool/menu'],
  },
  {
    name: 'a trailing NUL',
    files: {'tool/menu.json': `${text(TOOL)}\0`},
    findings: [notServed('tool/menu.json')],
    remedy: /save the file as UTF-8/,
    unserved: ['tool/menu'],
  },
  {
    name: 'a symbolic link instead of a document',
    files: {'tool/other.json': {link: 'menu.json'}},
    findings: [notServed('tool/other.json')],
    remedy: /replace it by the file/,
    unserved: ['tool/other'],
  },
  {
    name: 'a symbolic link instead of a folder',
    files: {'formTool/table.json': undefined, formTool: {link: 'tool'}},
    findings: [['FOLDER_NOT_READ', 'formTool']],
    remedy: /replace it by the folder/,
  },
  {
    name: 'a submodule instead of a folder',
    files: {'formTool/table.json': undefined, formTool: {submodule: '1'.repeat(40)}},
    findings: [['FOLDER_NOT_READ', 'formTool']],
    remedy: /replace it by the files/,
  },
  {
    name: 'two names that differ in case only',
    files: {'tool/Menu.json': text({...OTHER_DESCRIBED, _id: 'Menu'})},
    findings: [['CASE_COLLISION', 'tool/menu.json']],
    remedy: /rename or delete one of them/,
  },
  {
    name: 'a document of two megabytes',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, description: 'a '.repeat(1024 * 1024)})},
    findings: [notServed('tool/other.json')],
    remedy: /larger than 1048576 bytes: shorten/i,
    unserved: ['tool/other'],
  },
  {
    name: 'a script of two megabytes',
    files: {'tool/menu.js': `${SCRIPT}// ${'a '.repeat(1024 * 1024)}\n`},
    findings: [notServed('tool/menu.js')],
    remedy: /larger than 1048576 bytes: shorten/i,
    unserved: ['tool/menu'],
  },
  {
    name: 'merge markers in a document',
    files: {
      'tool/menu.json': text(TOOL).replace(
        '  "name": "showMenu",\n',
        `${OURS}\n  "name": "showMenu",\n${MIDDLE}\n  "name": "getMenu",\n${THEIRS}\n`,
      ),
    },
    findings: [notServed('tool/menu.json', 6)],
    remedy: /resolve it and commit again/,
    unserved: ['tool/menu'],
  },
  {
    name: 'merge markers in a script',
    files: {'tool/menu.js': `const a = 1\n${OURS}\nreturn a\n${MIDDLE}\nreturn 2 * a\n${THEIRS}\n`},
    findings: [notServed('tool/menu.js', 2)],
    remedy: /resolve it and commit again/,
    unserved: ['tool/menu'],
  },
  {
    name: 'a pointer of Git LFS instead of a script',
    files: {'tool/menu.js': LFS},
    findings: [notServed('tool/menu.js')],
    remedy: /store the file in Git without LFS/,
    unserved: ['tool/menu'],
  },
  {
    name: 'a pointer of Git LFS instead of a document',
    files: {'tool/menu.json': LFS},
    findings: [notServed('tool/menu.json')],
    remedy: /store the file in Git without LFS/,
    unserved: ['tool/menu'],
  },
  {
    name: 'an empty document',
    files: {'tool/menu.json': ''},
    findings: [['FILE_EMPTY', 'tool/menu.json']],
    remedy: /restore it, or delete it/,
    unserved: ['tool/menu'],
  },
  {
    name: 'an empty script',
    files: {'tool/menu.js': ''},
    findings: [['RULE_BROKEN', 'tool/menu.js', 1]],
    remedy: /The script is empty/,
  },
  {
    name: 'an _id that is not the name of the file',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, _id: 'drinks'})},
    findings: [notServed('tool/other.json')],
    remedy: /_id must be "other", the name of its file/,
    unserved: ['tool/other'],
  },
  {
    name: 'a _type that is not the name of the folder',
    files: {
      'formTool/other.json': text({
        ...FORM,
        _id: 'other',
        _type: 'form',
        name: 'sendMessage',
        pagePath: '/contact',
        description: 'Fills in the form that writes to the chef.',
      }),
    },
    findings: [notServed('formTool/other.json')],
    remedy: /_type must be "formTool", the name of its folder/,
    unserved: ['formTool/other'],
  },
  {
    name: 'a document without _id and _type',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, _id: undefined, _type: undefined})},
    findings: [notServed('tool/other.json')],
    remedy: /_type must be "tool"/,
    unserved: ['tool/other'],
  },
  {
    name: 'a key that occurs twice',
    files: {'tool/menu.json': text(TOOL).replace('  "name"', '  "name": "getMenu",\n  "name"')},
    findings: [['KEY_DUPLICATE', 'tool/menu.json', 7]],
    remedy: /delete the other one/,
  },
  {
    name: 'a key that JavaScript gives a meaning',
    files: {'tool/other.json': text(OTHER_DESCRIBED).replace('"enabled"', '"__proto__": {},\n  "enabled"')},
    findings: [notServed('tool/other.json')],
    remedy: /__proto__/,
    unserved: ['tool/other'],
  },
  {
    name: 'a type that Handrail does not know',
    files: {'article/one.json': text({_id: 'one', _type: 'article', title: 'One'})},
    findings: [['TYPE_UNKNOWN', 'article/one.json']],
    remedy: /the types are site, tool, formTool/,
  },
  {
    name: 'a field that the type does not have',
    files: {'tool/menu.json': text({...TOOL, descripton: 'Returns the menu.'})},
    findings: [['FIELD_UNKNOWN', 'tool/menu.json', 5]],
    remedy: /correct its name, or delete it/,
  },
  {
    name: 'a tool without a site',
    files: {'tool/menu.json': text({...TOOL, site: undefined})},
    findings: [['RULE_BROKEN', 'tool/menu.json']],
    remedy: /write "site"/,
  },
  {
    name: 'a reference to nothing',
    files: {'tool/menu.json': text({...TOOL, site: {...REFERENCE, _ref: 'bistro'}})},
    findings: [['REFERENCE_BROKEN', 'tool/menu.json', 8]],
    remedy: /There is no site\/bistro\.json: name the _id of a site/,
  },
  {
    name: 'a reference to a document that is no site',
    files: {'tool/menu.json': text({...TOOL, site: {...REFERENCE, _ref: 'table'}})},
    findings: [['REFERENCE_BROKEN', 'tool/menu.json', 8]],
    remedy: /formTool\/table\.json is not a site/,
  },
  {
    name: 'two sites with one public ID',
    files: {'site/pub.json': text({...SITE, _id: 'pub', name: 'The pub'})},
    findings: [['PUBLIC_ID_TAKEN', 'site/pub.json', 5]],
    remedy: /choose a different one/,
  },
  {
    name: 'two tools with one name',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, name: 'showMenu'})},
    findings: [['NAME_TAKEN', 'tool/other.json', 8]],
    remedy: /Choose a different name/,
  },
  {
    name: 'two documents with one _id',
    files: {'tool/table.json': text({...OTHER_DESCRIBED, _id: 'table'})},
    findings: [['ID_TAKEN', 'tool/table.json']],
    remedy: /choose another _id and rename the file/,
  },
  {
    name: 'a layout that is not JSON',
    files: {'lake.json': '{"files": {"tool": \n'},
    findings: [['LAYOUT_INVALID', 'lake.json', 2]],
    remedy: /not valid JSON/,
  },
  {
    name: 'a layout that names an extension wrongly',
    files: {'lake.json': text({files: {tool: {executeJs: '.js', inputSchema: 'schema.json'}}})},
    findings: [['LAYOUT_INVALID', 'lake.json']],
    remedy: /must be an extension without a leading dot/,
  },
  {
    name: 'a document in a nested folder',
    files: {'tool/bar/other.json': text(OTHER_DESCRIBED)},
    findings: [['FILE_NESTED', 'tool/bar/other.json']],
    remedy: /move it to tool\/other\.json/,
  },
  {
    name: 'an executable document',
    files: {'tool/menu.json': {program: text(TOOL)}},
    findings: [['FILE_EXECUTABLE', 'tool/menu.json']],
    remedy: /git update-index --chmod=-x/,
  },
  {
    name: 'files of an operating system',
    files: {'.DS_Store': 'Bud1', 'tool/.DS_Store': 'Bud1', 'tool/Thumbs.db': 'x'},
    findings: [
      ['FILE_OF_SYSTEM', '.DS_Store'],
      ['FILE_OF_SYSTEM', 'tool/.DS_Store'],
      ['FILE_OF_SYSTEM', 'tool/Thumbs.db'],
    ],
    remedy: /\.gitignore/,
  },
  {
    name: 'JSON that is nested 5,000 levels deep',
    files: {
      'tool/other.json': `{"_id": "other", "_type": "tool", "name": ${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
    },
    findings: [notServed('tool/other.json')],
    remedy: /make it flatter/,
    unserved: ['tool/other'],
  },
  {
    name: 'a draft',
    files: {'tool/drafts.menu.json': text({...TOOL, ...TEXTS, _id: 'drafts.menu'})},
    findings: [notServed('tool/drafts.menu.json')],
    remedy: /delete the file/,
    unserved: ['tool/drafts.menu'],
  },
  {
    name: 'an _id with a space',
    files: {'tool/the menu.json': text({...OTHER_DESCRIBED, _id: 'the menu'})},
    findings: [notServed('tool/the menu.json')],
    remedy: /use at most 128 letters, digits/,
    unserved: ['tool/the menu'],
  },
  {
    name: 'the name of a device on Windows',
    files: {'tool/con.json': text({...OTHER_DESCRIBED, _id: 'con'})},
    findings: [['FILE_NAME', 'tool/con.json']],
    remedy: /choose another name/,
  },
  {
    name: 'a list instead of a document',
    files: {'tool/other.json': '[]\n'},
    findings: [notServed('tool/other.json')],
    remedy: /not a JSON object/i,
    unserved: ['tool/other'],
  },
  {
    name: 'a note among the tools',
    files: {'tool/notes.txt': 'Ask the chef.\n'},
    findings: [['FILE_NOT_READ', 'tool/notes.txt']],
    remedy: /does not end with \.json or \.js or \.schema\.json/,
  },
  {
    name: 'a script with a syntax error',
    files: {'tool/menu.js': 'const menu = 1\nreturn menu +\n'},
    findings: [['RULE_BROKEN', 'tool/menu.js', 2]],
    remedy: /cannot be read at line 2/,
  },
  {
    name: 'a schema with a syntax error',
    files: {'tool/menu.schema.json': '{\n  "type": "object",\n  "properties": {},\n}\n'},
    findings: [['RULE_BROKEN', 'tool/menu.schema.json', 4]],
    remedy: /remove the comma before it/,
  },
  {
    name: 'a script with a key',
    files: {'tool/menu.js': `const key = 'AKIA${'B2'.repeat(8)}'\nreturn key\n`},
    findings: [['SECRET', 'tool/menu.js', 1]],
    remedy: /keep the key on your server/,
  },
  {
    name: 'several mistakes in one document',
    files: {
      'tool/menu.json': `${text({...TOOL, pathPattern: 'https://cafe.example/menu'})}}`,
      'tool/menu.js': 'return (\n',
      'tool/menu.schema.json': '[]\n',
    },
    findings: [
      ['RULE_BROKEN', 'tool/menu.js', 1],
      notServed('tool/menu.json', 13),
      ['RULE_BROKEN', 'tool/menu.schema.json', 1],
    ],
    remedy: /begin with "\{"/,
    unserved: ['tool/menu'],
  },
]
