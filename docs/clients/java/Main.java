import gatehouse.ApiClient;
import gatehouse.ApiException;
import gatehouse.api.SessionApi;
import gatehouse.api.TodoApi;
import gatehouse.model.*;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

class Main {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    var service = URI.create("http://127.0.0.1:3000");
    client.setHost(service.getHost()).setPort(service.getPort());
    client.setHttpClientBuilder(HttpClient.newBuilder().cookieHandler(new CookieManager()));
    var credentials = new Credentials().userId("demo").userPass("demo");
    var token = new SessionApi(client).login(credentials, null).getData().getCsrfToken();
    client.setRequestInterceptor(request -> request.header("X-CSRF-Token", token));

    var todos = new TodoApi(client);
    var made = todos.createTodo(new TodoCreation().title("Buy milk"), null, null, null);
    System.out.println("made " + made.getData().getTodo().getTitle());

    var list = todos.listTodos(10, null, null, null, null, null, null, null, null, null);
    System.out.println("listed " + list.getData().getTodos().size());

    var json = client.getObjectMapper();
    try {
      todos.createTodo(new TodoCreation().title(""), null, null, null);
    } catch (ApiException error) {
      var failure = json.readValue(error.getResponseBody(), BadRequestFailure.class);
      System.out.println("refused: " + failure.getData().getErrorCode().getValue());
    }

    // This generator writes no multipart bodies.
    var form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Main.java\"\r\n\r\n"
        + Files.readString(Path.of("Main.java")) + "\r\n--x--\r\n";
    var upload = HttpRequest.newBuilder(URI.create(client.getBaseUri() + "/attachment/index"))
        .header("Content-Type", "multipart/form-data; boundary=x")
        .header("X-CSRF-Token", token)
        .POST(BodyPublishers.ofString(form)).build();
    var answer = client.getHttpClient().send(upload, BodyHandlers.ofString()).body();
    var stored = json.readValue(answer, AttachmentSuccess.class).getData().getAttachment();
    System.out.println("stored " + stored.getName());
  }
}
