import assert from 'node:assert/strict'
import {test} from 'node:test'
import {normalizePath} from '../../../../schemas/rules/paths/pathPattern.ts'

const PATHS: [path: string, normalised: string][] = [
  ['', '/'],
  ['/', '/'],
  ['?q=1', '/'],
  ['#top', '/'],
  ['products', '/products'],
  ['/products/', '/products'],
  ['/products/?page=2#top', '/products'],
  ['/products#a?b', '/products'],
  ['/Products', '/Products'],
  ['/caf%C3%A9', '/café'],
  ['/100%', '/100%'],
  ['/caf%C3%A9/100%', '/café/100%'],
  ['/%FF', '/%FF'],
  ['/what%3f', '/what%3F'],
  ['/a%2fb%2F', '/a%2Fb%2F'],
  ['/%252F', '/%252F'],
  ['/%25%32%46', '/%252F'],
  ['/100%25', '/100%'],
  ['/%ff%e0%80%80%c3%a9', '/%FF%E0%80%80é'],
  ['/cafe%CC%81', '/café'],
  ['/cafe\u0301', '/café'],
  ['/a//b', '/a//b'],
  ['//', '/'],
  ['/a//', '/a/'],
  ['/a/./b/..', '/a/./b/..'],
  ['/.hidden', '/.hidden'],
  ['/a%0Ab', '/a\nb'],
]
for (const [path, normalised] of PATHS) {
  test(`the path ${JSON.stringify(path)} is ${JSON.stringify(normalised)}`, () => {
    assert.equal(normalizePath(path), normalised)
  })
}
