// Checks the Dockerfile where there is no Docker: `npm run image`. The instructions are linted; then those of each stage run in a folder
// that stands for the file system of the stage, and the command of the image is started, asked whether it is healthy, written to, and
// stopped as `docker stop` does. Absolute paths are those of the folder, and the server listens on loopback.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'

const root = resolve(import.meta.dirname, '..')
const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'calctl-image-'))
chmodSync(scratch, 0o755)
const stages = new Map()
const isRoot = process.getuid?.() === 0
/** Who runs the image: `node` there, nobody here. */
const user = isRoot ? { uid: 65534, gid: 65534 } : {}

try {
  const problems = validate(text, {})
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  const image = build()
  await check(image)
} finally {
  rmSync(scratch, { recursive: true })
}

/** Carries the instructions out; returns the last stage. */
function build() {
  let stage
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword()
    const content = instruction.getArgumentsContent() ?? ''
    if (keyword === 'FROM') stage = beginStage(/ AS (\w+)$/.exec(content)?.[1] ?? 'last')
    else if (keyword === 'WORKDIR') makeFolder(stage, content)
    else if (keyword === 'COPY') copy(stage, content, instruction.getFromFlag()?.getValue())
    else if (keyword === 'RUN') run(stage, content)
    else if (keyword === 'USER') stage.user = content
    else if (keyword === 'ENTRYPOINT' || keyword === 'CMD') stage[keyword] = JSON.parse(content)
    else if (keyword === 'HEALTHCHECK') stage.health = JSON.parse(content.slice(content.indexOf('[')))
  }
  return stage
}

function beginStage(name) {
  const folder = join(scratch, name)
  const bin = join(folder, 'usr/local/bin')
  mkdirSync(bin, { recursive: true })
  const stage = { folder, cwd: folder, bin }
  stages.set(name, stage)
  // There is no user of this name outside the image.
  writeFileSync(join(bin, 'chown'), '#!/bin/sh\n')
  chmodSync(join(bin, 'chown'), 0o755)
  return stage
}

function makeFolder(stage, path) {
  stage.cwd = join(stage.folder, path)
  mkdirSync(stage.cwd, { recursive: true })
}

function copy(stage, content, from) {
  const names = content.split(' ')
  const last = names.pop()
  const target = last.startsWith('/') ? join(stage.folder, last) : join(stage.cwd, last)
  if (from) for (const name of names) cpSync(join(stages.get(from).folder, name), target, { recursive: true })
  else for (const name of names.flatMap(inContext)) cpSync(join(root, name), join(target, name))
}

/** The files of the build's context: those of git without those of .dockerignore. */
function inContext(name) {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', name], { cwd: root })
  return files
    .toString()
    .trim()
    .split('\n')
    .filter(file => !ignored.includes(file.split('/')[0]))
}

/** The paths of the image in a command, as those of the folder. */
function moved({ folder }, command) {
  return command.replace(/(?<![\w.:/])\/(pack|data|src)\b/g, `${folder}/$1`)
}

function run(stage, command) {
  console.log(`RUN ${command}`)
  const { status } = spawnSync('sh', ['-ec', moved(stage, command)], {
    cwd: stage.cwd,
    env: environmentOf(stage),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`RUN ended with ${status}: ${command}`)
}

function environmentOf({ folder, bin }) {
  return {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    npm_config_prefix: join(folder, 'usr/local'),
    npm_config_loglevel: 'error',
  }
}

async function check(image) {
  if (image.user !== 'node') throw new Error('the image runs as root')
  const port = await freePort()
  const words = [...image.ENTRYPOINT, ...image.CMD].map(word => moved(image, word).replace('0.0.0.0', '127.0.0.1'))
  const data = join(image.folder, 'data')
  if (isRoot) chownSync(data, user.uid, user.gid)
  const server = spawn(words[0], [...words.slice(1), '--port', String(port)], {
    ...user,
    cwd: data,
    env: { PATH: environmentOf(image).PATH, HOME: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  await Promise.race([
    once(server.stdout, 'data'),
    ended.then(([status]) => Promise.reject(new Error(`ended: ${status}`))),
  ])
  const [program, ...args] = image.health.map(word => word.replace('8787', String(port)))
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`the health check ended with ${status}`)
  const body = JSON.stringify({ name: 'Jazz' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}/calendar/events/v1/tags`, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(`a write was answered ${answer.status}: ${await answer.text()}`)
  server.kill('SIGTERM')
  const [code] = await ended
  if (code !== 0) throw new Error(`after SIGTERM the image ended with ${code}`)
  if (!readFileSync(join(data, 'calendar.json'), 'utf8').includes('"Jazz"')) throw new Error('a write was lost')
  console.log(`the image starts as ${image.user}, is healthy, keeps a write, and stops`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
