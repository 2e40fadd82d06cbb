using System;
using System.IO;
using System.Net.Http;
using System.Threading.Tasks;
using Gatehouse;

static class Program
{
    static void Main() => Run().GetAwaiter().GetResult();

    static async Task Run()
    {
        // It keeps the cookie.
        var http = new HttpClient();
        var api = new GatehouseClient(http) { BaseUrl = "http://127.0.0.1:3000" };
        var session = await api.LoginAsync(new Credentials { User_id = "demo", User_pass = "demo" });
        http.DefaultRequestHeaders.Add("X-CSRF-Token", session.Data.CsrfToken);

        var made = await api.CreateTodoAsync(new TodoCreation { Title = "Buy milk" });
        Console.WriteLine("made " + made.Data.Todo.Title);

        var list = await api.ListTodosAsync(limit: 10);
        Console.WriteLine("listed " + list.Data.Todos.Count);

        try
        {
            await api.CreateTodoAsync(new TodoCreation { Title = "" });
        }
        catch (ApiException<BadRequestFailure> refused)
        {
            Console.WriteLine("refused: " + refused.Result.Data.ErrorCode);
        }

        using (var file = File.OpenRead("Program.cs"))
        {
            var stored = await api.CreateAttachmentAsync(file: new FileParameter(file, "Program.cs"));
            Console.WriteLine("stored " + stored.Data.Attachment.Name);
        }
    }
}
