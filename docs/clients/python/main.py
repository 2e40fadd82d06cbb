import json

from gatehouse import ApiClient, ApiException, AttachmentApi, Credentials, SessionApi, TodoApi, TodoCreation

client = ApiClient()
config = client.configuration
config.host = "http://127.0.0.1:3000"
credentials = Credentials(user_id="demo", user_pass="demo")
session, _, headers = SessionApi(client).login_with_http_info(credentials)
# The last cookie counts.
config.api_key["PHPSESSID"] = headers["Set-Cookie"].split(", ")[-1].split(";")[0]
config.api_key["X-CSRF-Token"] = session.data.csrf_token

todos = TodoApi(client)
made = todos.create_todo(TodoCreation(title="Buy milk"))
print("made", made.data.todo.title)

listed = todos.list_todos(limit=10)
print("listed", len(listed.data.todos))

try:
    todos.get_todo(999)
except ApiException as error:
    failure = json.loads(error.body)["Data"]
    print("refused:", failure["errorCode"])

stored = AttachmentApi(client).create_attachment("main.py").data.attachment
print("stored", stored.name)
