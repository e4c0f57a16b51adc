import {useState} from 'react'

/** Sends a form, and has what is wrong if the lake refuses it. */
export function useSubmission(send: () => Promise<unknown>) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = () => {
    setBusy(true)
    setProblem(undefined)
    send()
      .catch((error: Error) => setProblem(error.message))
      .finally(() => setBusy(false))
  }
  return {problem, isBusy, submit}
}
