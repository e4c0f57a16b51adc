import assert from 'node:assert/strict'
import {test} from 'node:test'
import {withoutCredentials, withoutPaths} from '../../git/redact.ts'

test('absolute paths are reduced to file names', () => {
  const texts = {
    "Unable to create '/srv/my content/.git/HEAD.lock': File exists":
      "Unable to create 'HEAD.lock': File exists",
    "EACCES: permission denied, open '/srv/content/.git/index'": "EACCES: permission denied, open 'index'",
    "EACCES: permission denied, open 'C:\\content\\.git\\index'": "EACCES: permission denied, open 'index'",
    'git update-ref: fatal: /srv/content/.git/packed-refs: not a file':
      'git update-ref: fatal: packed-refs: not a file',
    'tool/a.json and refs/heads/main changed': 'tool/a.json and refs/heads/main changed',
    'https://lake.example/a/b': 'https://lake.example/a/b',
  }
  for (const [text, expected] of Object.entries(texts)) assert.equal(withoutPaths(text), expected)
})

test('user names and passwords are redacted from URLs', () => {
  const texts = {
    'https://ada:p@ss@git.example/x.git': 'https://***@git.example/x.git',
    'to https://a:b@c@h/x and ssh://git@h:22/y': 'to https://***@h/x and ssh://***@h:22/y',
    "'https://h/x?token=abc&b=c'": "'https://h/x?token=***&b=***'",
    'git@github.com:a/b.git': 'git@github.com:a/b.git',
  }
  for (const [text, expected] of Object.entries(texts)) assert.equal(withoutCredentials(text), expected)
})
