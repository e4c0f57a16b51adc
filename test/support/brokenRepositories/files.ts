import {type BrokenRepository, notServed, OTHER_DESCRIBED} from './brokenRepository.ts'
import {SCRIPT, TOOL, text} from './documents.ts'

const OURS = `${'<'.repeat(7)} ours`
const THEIRS = `${'>'.repeat(7)} theirs`
const MIDDLE = '='.repeat(7)
const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`
const BOM = '\ufeff'

/** Files that cannot be read as what their place and name promise. */
export const BROKEN_FILES: readonly BrokenRepository[] = [
  {
    name: 'JSON with a comma too many',
    files: {'tool/other.json': '{\n  "_id": "other",\n  "_type": "tool",\n}\n'},
    findings: [notServed('tool/other.json', 4)],
    remedy: /remove the comma before it/,
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
    name: 'a script with another extension',
    files: {'tool/menu.mjs': SCRIPT},
    findings: [['FILE_NOT_READ', 'tool/menu.mjs']],
    remedy: /rename it, or move it/,
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
    name: 'an executable document',
    files: {'tool/menu.json': {program: text(TOOL)}},
    findings: [['FILE_EXECUTABLE', 'tool/menu.json']],
    remedy: /git update-index --chmod=-x/,
  },
  {
    name: 'two names that differ in case only',
    files: {'tool/Menu.json': text({...OTHER_DESCRIBED, _id: 'Menu'})},
    findings: [['CASE_COLLISION', 'tool/menu.json']],
    remedy: /rename or delete one of them/,
  },
  {
    name: 'a document of six megabytes',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, description: 'a '.repeat(3 * 1024 * 1024)})},
    findings: [notServed('tool/other.json')],
    remedy: /larger than 5242880 bytes: shorten/i,
    unserved: ['tool/other'],
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
]
