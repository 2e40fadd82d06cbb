/**
 * NestJS on Fastify, with class-validator and the plugins of Fastify. Decorators are called as functions, because
 * Node.js runs no syntax for them.
 */
import 'reflect-metadata'
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Req,
  Res,
  UnauthorizedException,
  ValidationPipe
} from '@nestjs/common'
import { APP_GUARD, NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { IsNotEmpty, IsString, MaxLength } from 'class-validator'
import { registerPlugins } from './fastify-session.mjs'
import { address, ok, signIn, todos } from './shared.mjs'

const decorate = (decorators, { prototype }, name) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)
  for (const decorator of decorators) decorator(prototype, name, descriptor)
}

class NewTodo {}
for (const rule of [IsString(), IsNotEmpty(), MaxLength(255)]) rule(NewTodo.prototype, 'title')

class Area {
  login({ session }, reply, body) {
    session.user = signIn(body)
    return ok({ csrfToken: reply.generateCsrf() })
  }
  list({ session }) {
    return todos.list(session.user)
  }
  read({ session }, id) {
    const found = todos.find(session.user, id)
    if (!found) throw new NotFoundException()
    return found
  }
  create({ session }, { title }) {
    return todos.insert(session.user, title)
  }
}
Controller()(Area)
/** Arguments in their order. */
const takes = (name, ...parameters) => {
  for (const [index, decorator] of parameters.entries()) decorator(Area.prototype, name, index)
}
takes('login', Req(), Res({ passthrough: true }), Body())
takes('list', Req())
takes('read', Req(), Param('id', ParseIntPipe))
takes('create', Req(), Body(new ValidationPipe({ expectedType: NewTodo })))
decorate([Post('session/login'), HttpCode(200)], Area, 'login')
decorate([Get('todo/index')], Area, 'list')
decorate([Get('todo/item/id_:id')], Area, 'read')
decorate([Post('todo/index'), HttpCode(200)], Area, 'create')

class SessionGuard {
  canActivate(context) {
    const { url, session } = context.switchToHttp().getRequest()
    if (session.user || url === '/session/login') return true
    throw new UnauthorizedException()
  }
}

class App {}
Module({
  controllers: [Area],
  providers: [{ provide: APP_GUARD, useClass: SessionGuard }]
})(App)

const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false })
await registerPlugins(app)
const fastify = app.getHttpAdapter().getInstance()
fastify.addHook('preHandler', (request, reply, done) => {
  const changes = request.method !== 'GET' && request.url !== '/session/login'
  if (changes) fastify.csrfProtection(request, reply, done)
  else done()
})
await app.listen(address.port, address.host)
