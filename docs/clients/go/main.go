package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"

	"github.com/example/gatehouse"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	config := gatehouse.NewConfiguration()
	config.Servers[0].URL = "http://127.0.0.1:3000"
	jar, err := cookiejar.New(nil)
	must(err)
	config.HTTPClient = &http.Client{Jar: jar}
	api := gatehouse.NewAPIClient(config)
	ctx := context.Background()

	session, _, err := api.SessionApi.Login(ctx).Credentials(*gatehouse.NewCredentials("demo", "demo")).Execute()
	must(err)
	config.AddDefaultHeader("X-CSRF-Token", session.Data.CsrfToken)

	made, _, err := api.TodoApi.CreateTodo(ctx).TodoCreation(*gatehouse.NewTodoCreation("Buy milk")).Execute()
	must(err)
	fmt.Println("made", made.Data.Todo.Title)

	list, _, err := api.TodoApi.ListTodos(ctx).Limit(10).Execute()
	must(err)
	fmt.Println("listed", len(list.Data.Todos))

	_, _, err = api.TodoApi.CreateTodo(ctx).TodoCreation(*gatehouse.NewTodoCreation("")).Execute()
	var refused gatehouse.GenericOpenAPIError
	if errors.As(err, &refused) {
		if failure, ok := refused.Model().(gatehouse.BadRequestFailure); ok {
			fmt.Println("refused:", failure.Data.ErrorCode)
		}
	}

	file, err := os.Open("main.go")
	must(err)
	stored, _, err := api.AttachmentApi.CreateAttachment(ctx).File(file).Execute()
	must(err)
	fmt.Println("stored", stored.Data.Attachment.Name)
}
