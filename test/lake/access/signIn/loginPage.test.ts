import assert from 'node:assert/strict'
import {test} from 'node:test'
import {programNamed} from '../../../../lake/access/principal.ts'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {continuePage, linkPage, loginPage} from '../../../../lake/access/signIn/loginPage.ts'

test('what people and providers wrote does not end an attribute or an element of a page', () => {
  const text = `/"'<b>&`
  const person = {...programNamed('ada', text, everywhere('viewer')), email: text}
  const signIn = {hasPassword: false, isInvited: true, usesSingleSignOn: false, generation: undefined}
  const editor = {...person, ...signIn}
  for (const page of [
    loginPage({to: text, email: text, problem: text, provider: text, passwords: true}),
    linkPage({to: text, code: text, editor, passwords: true}),
    continuePage(text),
  ]) {
    assert.ok(page.includes('/&quot;&#39;&lt;b&gt;&amp;'))
    assert.ok(!page.includes(`/"`) && !page.includes(`'<b>`) && !page.includes('<b>'))
  }
})
