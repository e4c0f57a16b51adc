import {Stack} from '@sanity/ui'
import {useState} from 'react'
import {type ArrayOfObjectsInputProps, PatchEvent, unset} from 'sanity'
import {proposalsFor} from '../../../verdicts/proposals.ts'
import {resultParts} from '../../../verdicts/resultParts.ts'
import {AddButton} from '../../parts/layout.tsx'
import {useFormDocument} from '../../parts/useFormDocument.ts'
import {addition} from '../patches.ts'
import {pagesOf, usePages} from '../usePages.ts'
import {newTest, parametersIn, testsOf, withInput} from './rows.ts'
import {TestView} from './testView.tsx'

/** The tests of a tool, one row each. */
export function TestsInput({value, readOnly = false, onChange}: ArrayOfObjectsInputProps) {
  const {document: tool} = useFormDocument()
  const parameters = parametersIn(tool)
  const tests = testsOf(value)
  const [open, setOpen] = useState<string>()
  const ownPages = pagesOf(tool.pathPattern ?? tool.pagePath)
  const otherPages = usePages()
  const pages = [...new Set([...ownPages, ...tests.map(({page}) => page), ...otherPages])].filter(Boolean)
  const used = tests.flatMap(({expect}) => expect.map(({member}) => member))
  const parts = [...new Set([...resultParts(tool), ...used])].filter(Boolean)
  const addAfter = (added: ReturnType<typeof newTest>, after?: string) => {
    onChange(addition([], added, after))
    setOpen(added._key)
  }
  return (
    <Stack gap={2}>
      {tests.length > 0 && (
        <Stack as="ul" gap={2}>
          {tests.map((test) => (
            <TestView
              change={(...patches) => onChange(PatchEvent.from(patches).prefixAll({_key: test._key}).patches)}
              isOpen={open === test._key}
              key={test._key}
              pages={pages}
              parameters={parameters}
              parts={parts}
              proposals={() => proposalsFor([test, ...tests.filter((one) => one !== test)], parameters)}
              propose={(proposal) => addAfter(withInput(test, proposal), test._key)}
              readOnly={readOnly}
              remove={() => onChange(unset([{_key: test._key}]))}
              test={test}
              toggle={() => setOpen(open === test._key ? undefined : test._key)}
            />
          ))}
        </Stack>
      )}
      {!readOnly && (
        <AddButton
          onClick={() => addAfter(newTest(tests, pages[0] ?? '/'))}
          testId="add-test"
          text="Add a test"
        />
      )}
    </Stack>
  )
}
