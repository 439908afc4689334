export async function load(path) {
  const answer = await fetch('/api' + path)
  if (!answer.ok) throw new Error(answer.statusText)
  return answer.json()
}
