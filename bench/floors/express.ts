import express from 'express';
import { createTask, getTask, listTasks, orgOf, port, ready } from './database.js';

/** The floor that everything is compared with: Express and pg, written by hand. */
const app = express();
app.set('etag', false).disable('x-powered-by').use(express.json());

app.get('/api/v1/tasks', async (request, response) => {
  response.json({ data: await listTasks(await orgOf(request.headers.authorization)) });
});

app.get('/api/v1/tasks/:id', async (request, response) => {
  response.json({ data: await getTask(await orgOf(request.headers.authorization), request.params.id) });
});

app.post('/api/v1/tasks', async (request, response) => {
  const orgId = await orgOf(request.headers.authorization);
  response.status(201).json({ data: await createTask(orgId, request.body as Record<string, unknown>) });
});

app.listen(port, '127.0.0.1', ready);
